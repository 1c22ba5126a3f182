def ordered(values):
    return sorted(values)
