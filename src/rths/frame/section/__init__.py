"""Cross sections: normal force and moment over the strain of the axis and the curvature."""
