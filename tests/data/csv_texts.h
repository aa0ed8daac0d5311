// One table, 1 2 over 3 4, in all the ways that tables are written.
#pragma once

namespace choir {

inline constexpr const char* ways_to_write_one_table[] = {
    "1,2\n3,4\n",
    "1;2\n3;4",
    "1\t2\r\n3\t4\r\n",
    "1 2\n 3   4 \n",
    "\"1\",\"2\"\n3,4\n",
    ("\xef\xbb\xbf"
     "1,2\n3,4"),
    "# c\n\n1, 2\n# d\n3 ,4\n\n",
    "a,b\n1,2\n3,4\n",
    "0,b\n1,2\n3,4\n",
    "\"a \"\"q\"\"\",\"b\nc\"\n1,2\n3,4\n",
    "+1,2e0\n3.0,.4e1\n",
};

}  // namespace choir
