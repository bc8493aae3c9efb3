# What figures of an answer share, which `solve --plot` draws of answer.data: a block of lines for each
# panel of a grid, or for each curve. The head of the script has said
#   x_name, x_first, x_last, and the same of y: the axes, from first to last place
#   columns, rows: how many lines of the grid there are; titles: an array, one for each panel
#   least, most: of the values; note: what is not shown; doubt: why the answer is not good, or ""
# Sets low and high; per_row and lines of panels; head and foot, heights in pixels; shades, the colours
# by value, and say, the words around, both to be evaluated.

room = most > least ? 0.0 : most == 0 ? 1.0 : 0.1 * abs(most)
low = least - room
high = most + room
per_row = |titles| > 3 ? (|titles| + 1) / 2 : |titles|
lines = (|titles| + per_row - 1) / per_row
head = 20 + 19 * caption_lines + (doubt eq "" ? 0 : 24)
foot = note eq "" ? 8 : 32

# Blue below 0 and red above, as deep as a value is far from it; or, if there is but one side, from its
# value next to 0 on.
size = high > -low ? high : -low
channel(a, b, t, bits) = int((1 - t) * ((a >> bits) & 255) + t * ((b >> bits) & 255) + 0.5)
mix(a, b, t) = sprintf("#%02x%02x%02x", channel(a, b, t, 16), channel(a, b, t, 8), channel(a, b, t, 0))
deep(t, middle, end) = t < 0.4 ? mix(0xf2efe6, middle, t / 0.4) : mix(middle, end, (t - 0.4) / 0.6)
blue(t) = deep(t, 0x8fb8de, 0x2b5c8a)
red(t) = deep(t, 0xe9a66b, 0xa63603)
step(t, colour) = sprintf('%.9g "%s"', t, colour)
between_ends = low >= 0 ? step(0.4, red(0.4)) : high <= 0 ? step(-0.4, blue(0.4)) \
    : (low < -0.4 * size ? step(-0.4, blue(0.4)) . ", " : "") . step(0, red(0)) \
    . (high > 0.4 * size ? ", " . step(0.4, red(0.4)) : "")
lower_end = low >= 0 ? step(0, red(0)) : high <= 0 ? step(-1, blue(1)) : step(low / size, blue(-low / size))
upper_end = high <= 0 ? step(0, red(0)) : low >= 0 ? step(1, red(1)) : step(high / size, red(high / size))
shades = "set palette defined (" . lower_end . ", " . between_ends . ", " . upper_end . "); \
    set cbrange [low:high]; set format cb '%g'"

say = 'set label 101 caption at screen 0.5, screen 1 - 16.0 / height center noenhanced front; \
    if (doubt ne "") { set label 102 doubt at screen 0.5, screen 1 - (16.0 + 19 * caption_lines) / height \
        center noenhanced front textcolor rgb "#c00000" }; \
    if (note ne "") { set label 103 note at screen 0.5, screen 14.0 / height center noenhanced front \
        textcolor rgb "#606060" }'
