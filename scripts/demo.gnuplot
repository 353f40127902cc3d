# The demonstration's two plots: scripts/demo calls this in its output folder, with
#   format   svg or png
#   tol      the target of the relative gap
# Colours are Okabe and Ito's, which colour-blind readers can tell apart.

blue = "#0072B2"
vermillion = "#D55E00"
grey = "#666666"

if (format eq "svg") {
    set terminal svg size 820,560 font "DejaVu Sans,14" enhanced background "white" rounded
} else {
    set terminal pngcairo size 1640,1120 font "DejaVu Sans,13" fontscale 2 linewidth 2 pointscale 2 enhanced rounded
}
set encoding utf8
set tics nomirror textcolor rgb "#333333"

# ---- the gap against iterations ----
set output "gap." . format
set title "The way to the solution: proven relative gap" font ",16"
set xlabel "iteration"
set ylabel "relative gap"
set border 3 lw 1 lc rgb grey
set logscale xy
set format x "10^{%T}"
set autoscale xfix
set yrange [tol / 2:*]
set ytics (10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
set grid lt 1 lw 0.5 lc rgb "#dddddd"
set key top right Left reverse samplen 2 spacing 1.3
set label sprintf("target %g", tol) at graph 0.02, first tol offset 0, -0.8 textcolor rgb grey
set arrow from graph 0, first tol to graph 1, first tol nohead dashtype 2 lw 1.5 lc rgb grey
plot "fw.gap.dat" with lines lw 2 lc rgb vermillion title "Frank–Wolfe", \
     "partan.gap.dat" with lines lw 2 lc rgb blue title "PARTAN"
reset

# ---- the decision regions ----
set encoding utf8
set table $boundary
set view map
set contour base
set cntrparam levels discrete 0
unset surface
splot "grid.dat" using 1:2:3
unset table
reset
stats "grid.dat" using 3 nooutput
top = STATS_max > -STATS_min ? STATS_max : -STATS_min

if (format eq "svg") {
    set terminal svg size 640,680 font "DejaVu Sans,14" enhanced background "white" rounded
} else {
    set terminal pngcairo size 1280,1360 font "DejaVu Sans,13" fontscale 2 linewidth 2 pointscale 2 enhanced rounded
}
set output "regions." . format
set encoding utf8
set title "Decision regions of the PARTAN model" font ",16"
set border 15 lw 1 lc rgb grey
set tics nomirror out textcolor rgb "#333333"
set size ratio -1
set xrange [-1.2:1.2]
set yrange [-1.2:1.2]
set xtics 0.5
set ytics 0.5
set xlabel "x_1"
set ylabel "x_2" rotate by 0 offset 1, 0
set key at screen 0.55, 0.03 center horizontal Left reverse samplen 1.5 maxrows 1
set lmargin at screen 0.14
set rmargin at screen 0.97
set bmargin at screen 0.165
set tmargin at screen 0.92

# Pale versions of the two colours, white where the decision is close.
set cbrange [-top:top]
set palette defined (-1 "#F2B48C", -0.15 "#FBE9DD", 0 "#FFFFFF", 0.15 "#DDEBF5", 1 "#8CBEDF")
unset colorbox
plot "grid.dat" using 1:2:3 with image notitle, \
     "points.dat" using ($3 > 0 ? $1 : 1/0):2 with points pt 7 ps 0.25 lc rgb blue notitle, \
     "points.dat" using ($3 < 0 ? $1 : 1/0):2 with points pt 5 ps 0.22 lc rgb vermillion notitle, \
     $boundary using 1:2 with lines lw 2 lc rgb "#222222" title "boundary", \
     keyentry with points pt 7 ps 0.8 lc rgb blue title "class +1", \
     keyentry with points pt 5 ps 0.8 lc rgb vermillion title "class −1"
