"""What certifies the loop of a plan: roots, margins, and motions where it is not linear."""
