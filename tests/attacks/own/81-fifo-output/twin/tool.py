import sys


def main():
    words = [int(word) for word in sys.stdin.read().split()]
    with open("out.txt", "w") as file:
        file.write(" ".join(map(str, sorted(words))))


if __name__ == "__main__":
    main()
