"""Wallace, Sieber, Neild, Wagg, Krauskopf 2005: delay differential equations for substructuring."""
