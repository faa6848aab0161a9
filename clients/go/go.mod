module azulreferee

go 1.22
