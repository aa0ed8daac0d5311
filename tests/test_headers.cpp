// Nothing: the program exists for the headers that are precompiled with it.
int main() {}
