"""Medians, ranges, ratios of them, and the exponent of a power law."""

import math
import statistics


def spread(values):
    """{"median", "least", "most", "count"} of the numbers there are; None when there are none."""
    values = [value for value in values if value is not None]
    if not values:
        return None
    return {"median": statistics.median(values), "least": min(values), "most": max(values), "count": len(values)}


def ratio(above, below):
    """The ratio of two spreads: that of the medians, and the least and the most that single runs could give."""
    if not above or not below or below["least"] <= 0:
        return None
    return {
        "median": above["median"] / below["median"],
        "least": above["least"] / below["most"],
        "most": above["most"] / below["least"],
    }


def exponent(sizes, times):
    """The p of times = c sizes^p by least squares in the logarithms, and its standard error; None for too few."""
    points = [(math.log(s), math.log(t)) for s, t in zip(sizes, times) if s > 0 and t and t > 0]
    if len({x for x, _ in points}) < 2:
        return None
    mean_x = statistics.fmean(x for x, _ in points)
    mean_y = statistics.fmean(y for _, y in points)
    sxx = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sxx
    rest = sum((y - mean_y - slope * (x - mean_x)) ** 2 for x, y in points)
    error = math.sqrt(rest / (len(points) - 2) / sxx) if len(points) > 2 else None
    return {"exponent": slope, "error": error, "points": len(points)}
