mv tests old && ln -s /hidden tests
mv calc.py keep.py
mkdir calc.py && ln keep.py calc.py/__init__.py && ln keep.py other.py
chmod 6777 keep.py
mkdir shut && echo 'x = 1' > shut/x.py && chmod 000 shut/x.py shut
ln -s /proc/1/root root && ln -s . loop && ln -s ../../../../../../hidden up
rm Makefile && mkdir Makefile && chmod 1777 Makefile
mkfifo pipe.py
