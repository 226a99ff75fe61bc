"""What runs beside the student's code: the only part of this package that it sees."""
