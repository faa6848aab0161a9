"""A naive second implementation of Azul and Master Chocolatier, to test the fast engine against."""
