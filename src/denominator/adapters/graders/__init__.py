"""The clean-tree grader: hidden tests in a fresh sandbox, a report by pipe, a decision from facts."""
