"""Prices."""


def base(weight_g):
    """The price of a parcel: 4.50 for the first kilogram, 1.20 for each further one that is begun."""
    if weight_g < 1:
        raise ValueError("a parcel weighs something")
    further = max(0, -(-(weight_g - 1000) // 1000))
    return 450 + 120 * further


def total(weight_g, region):
    """The price with the surcharge of a region."""
    return base(weight_g)
