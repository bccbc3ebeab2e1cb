"""Delay, actuator models and damper models from measured signals.

| question | file |
|---|---|
| how late is the actuator, as one number? | cross_correlation, least_squares_delay |
| is it later one way than the other, or at some frequencies? | zero_crossing |
| what is its frequency response, and can I trust it? | frequency_response |
| which model describes it? | pure_delay, first_order, second_order, second_order_bandwidth |
| which law does the damper follow? | bingham_fit, power_law_fit, bouc_wen_fit |

Delays are positive when the measured signal comes later than the target.
"""
