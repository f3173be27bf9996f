// What a stranger's program looks like.
#include <stillpoint/stillpoint.h>

#include <iostream>

int main() { std::cout << "stillpoint " << stillpoint::version() << '\n'; }
