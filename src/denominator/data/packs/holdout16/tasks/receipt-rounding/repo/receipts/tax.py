"""Tax."""

SCALE = 1000


def receipt(lines):
    """Totals of a receipt, and the tax for each rate."""
    nets = {}
    for cents, rate in lines:
        nets[rate] = nets.get(rate, 0) + cents
    by_rate = [{"rate": rate, "net": net, "tax": tax_of(net, rate)} for rate, net in sorted(nets.items())]
    net = sum(nets.values())
    tax = sum(part["tax"] for part in by_rate)
    return {"net": net, "tax": tax, "gross": net + tax, "by_rate": by_rate}


def tax_of(net, rate):
    """The tax on `net` cents, in whole cents."""
    whole, rest = divmod(net * rate, SCALE)
    if rest * 2 > SCALE or rest * 2 == SCALE and whole & 1:
        whole += 1
    return whole
