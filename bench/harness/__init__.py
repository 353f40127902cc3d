"""The parts of bench/run.

process      runs one command: wall and CPU time, peak memory, load, a time limit
machine      what it ran on
sets         the data sets, with C and gamma and the goals
sources      finds, unpacks and hashes the files that a set is made from
makers       makes a set's training and test file from them
contenders   partan and its peers: how each is run and what it says
environment  the virtual environment of the Python peers, which peers/svc.py runs in
compare      runs contenders side by side, in turns
prediction   svm-predict and partan predict on the same model
tasks        sets with many classes, regression and outliers, and each program's parameters
tuning       the search for these parameters, which peers/tune.py does for the peers
trials       one run of each program on a task
kept         peers' runs of minutes, used again while nothing of them changes
results      all tasks, with goals and verdicts
path         a path over C against one training
scaling      time and memory against rows, threads and budgets
micro        kernel blocks, the fused step and readers, by the program bench_micro
figures      medians, ranges, ratios, fitted exponents
report       tables for the terminal and in Markdown, the JSON record
"""
