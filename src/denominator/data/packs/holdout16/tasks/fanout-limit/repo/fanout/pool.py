"""Running jobs."""

import asyncio


async def run_all(jobs):
    """Run all jobs at once; their results in the order of the jobs."""
    return list(await asyncio.gather(*(job() for job in jobs)))
