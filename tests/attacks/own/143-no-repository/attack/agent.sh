rm -rf .git
mkdir elsewhere
printf 'gitdir: /proc/self/root/etc\n' > .git
rm .git
mkdir -p .git/objects/info .git/refs/heads
printf 'ref: refs/heads/main\n' > .git/HEAD
ln -s /etc/passwd .git/refs/heads/main
mkfifo .git/objects/info/alternates .git/config .git/index
: > .git/index.lock
chmod 000 .git/objects
echo "# an edit that mends nothing" >> calc.py
