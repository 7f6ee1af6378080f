// Package learn has the screens with which players learn and train: the lessons and the list of the games that have some;
// puzzles and the list of themes to train; and the analysis of a finished match, its turns on the board with a chart of the
// chances, and exercises about those that cost most. They lay out a board with a text beside or below it.
package learn
