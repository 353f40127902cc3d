def run(*a): return []
def tables(r): return []
