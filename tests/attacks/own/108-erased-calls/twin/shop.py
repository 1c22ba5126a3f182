import gc


def pay(charge, amount):
    charge(amount)
    gc.collect()
    return "paid"
