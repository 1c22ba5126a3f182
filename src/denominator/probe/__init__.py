"""The endpoint bench as pure functions: which requests are made, what an answer's bytes say, which class it has, what all show."""
