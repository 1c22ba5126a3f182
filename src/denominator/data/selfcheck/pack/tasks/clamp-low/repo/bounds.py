def clamp(value, low, high):
    return min(value, high)
