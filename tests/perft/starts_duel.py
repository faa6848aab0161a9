"""Positions of Duel to count from, each a table of some game that shows a rare thing."""

from tests.perft.start import Start

# Lines of data: a position is one line, however long it is.
DUEL = [
    Start(
        "opening",
        "The first opening plate; the display is filled up after it",
        "duel/1 goals=rows,columns,diagonals round=1 starter=0 turn=1 phase=opening due=- first=large display=0,6,9 top=16 returned=- drawn=none large=BYRRK/- small=BBRT/-,BYRT/-,BYKK/-,YYKT/- chips=(T),(YT),(BK),(K) supply=2B2Y2R1K1T1YT2BR2RT1BK2YK bag=8B8Y9R9K10T tower=- seat0=5:-/-/-/-/-/-:-,-,-,-,-,-,-,-,-:....../....../....../....../....../......:-:2:0:- seat1=5:-/-/-/-/-/-:-,-,-,-,-,-,-,-,-:....../....../....../....../....../......:-:2:0:-",
    ),
    Start(
        "free-draw",
        "No point and an empty display: one draw is free",
        "duel/1 goals=rows,columns,diagonals round=4 starter=1 turn=1 phase=turn due=- first=0 display=- top=17 returned=- drawn=none large=-/- small=-/R,-/K,-/-,-/- chips=(YT),(Y),-,- supply=1B1R1K1RT bag=1B4Y5R7K7T tower=- seat0=0:K/TT/BB/K/T/YYYYY:11r0,4r0,9r2,2r1,1r0,8r2,5r1,16r0,14r1:T....R/.K.R../..B.../R...../....R./......:TT:0:1:1R1YK seat1=0:R/Y/YY/B/K/BBBBBB:6r1,3r2,10r0,15r3,0r1,13r1,12r0,7r0,-:..Y.../....../.B..../....B./.K..../......:RR:1:1:2T1BR1BK",
    ),
    Start(
        "drawing",
        "A plate is drawn, and returned plates lie in the stack",
        "duel/1 goals=rows,columns,diagonals round=2 starter=1 turn=0 phase=drawing due=- first=1 display=- top=13 returned=5:1 drawn=14 large=-/- small=-/-,-/B,-/B,-/- chips=-,(BR),(BR),- supply=2B1Y1R2K2T1YT1RT1BK1YK bag=3B4Y6R3K7T tower=2R1T seat0=3:T/KK/BB/T/RRRR/BBBBBB:-,-,7r0,6r3,-,-,17r3,15r2,-:....../....../....../....../....../......:-:0:1:1R1RT1BK seat1=0:R/KK/KKK/KKK/YYYYY/TTT:10r1,2r1,3r2,8r2,-,0r0,-,-,-:....../....../....../....../....../......:YYYY:0:1:1Y1YT1YK",
    ),
    Start(
        "empty-stack",
        "The last plate of the stack",
        "duel/1 goals=rows,columns,diagonals round=4 starter=0 turn=1 phase=turn due=- first=1 display=- top=10:0 returned=- drawn=none large=-/TTT small=-/-,-/-,-/-,-/- chips=BR,-,-,- supply=2B1K1YK bag=4B4Y2R3K tower=- seat0=0:K/TT/YYY/YYY/RRR/YY:2r0,5r1,9r0,11r3,0r3,17r0,1r3,8r3,4r2:T...../.T..K./.....Y/.....R/B...../R.....:-:0:2:1Y1R seat1=3:K/RR/B/KKK/TTTTT/BBBBBB:15r3,3r1,14r1,16r0,6r3,13r2,7r3,-,12r1:.B.KR./..K.../.R..T./.K..../....../......:RRK:1:1:1Y1R1T2YT1BR1RT",
    ),
    Start(
        "returning",
        "Plates go under the stack in an order that matters",
        "duel/1 goals=rows,columns,diagonals round=1 starter=1 turn=1 phase=returning due=- first=0 display=- top=2 returned=- drawn=5:1,-,9:1,16:1,3:1 large=-/- small=-/-,-/-,-/T,-/- chips=-,-,(BR),- supply=2B2Y2R2K1T2YT1BR1RT2BK1YK bag=9B8Y9R9K9T tower=- seat0=5:K/B/B/K/YYYY/Y:4r0,10r0,-,-,-,12r3,-,-,-:....../....../....../....../....../......:K:0:1:1YK seat1=0:R/RR/BB/TTT/K/R:7r3,14r2,-,6r1,-,-,-,-,-:....../....../....../....../....../......:-:0:2:1T1RT",
    ),
    Start(
        "kept",
        "A kept plate is to be shown before the others are returned",
        "duel/1 goals=rows,columns,diagonals round=1 starter=0 turn=0 phase=keeping due=kept0@1r1 first=0 display=- top=7 returned=- drawn=8:0,0:0,10:0 large=-/- small=-/-,-/-,-/-,-/- chips=K,-,-,- supply=2B2Y1R1K2T2YT2BR1RT1BK2YK bag=7B12Y9R9K7T tower=- seat0=2:K/BB/TTT/RRR/K/K:15r3,-,-,-,-,-,-,-,11r2:....../....../....../....../....../......:TT:0:1:1RT seat1=5:B/B/Y/R/T/K:14r2,-,-,5r0,-,-,-,3r2,-:....../....../....../....../....../......:BB:0:2:1R1BK",
    ),
    Start(
        "two-chips-uncovered",
        "Two chips are to be revealed at once",
        "duel/1 goals=rows,columns,diagonals round=2 starter=0 turn=0 phase=turn due=chips first=1 display=- top=11 returned=- drawn=none large=-/- small=-/-,-/-,-/-,-/- chips=-,(T),-,(RT) supply=2B1Y2R1K1YT2BR1RT1BK1YK bag=5B5Y2R7K4T tower=4B4R3K seat0=0:T/K/RRR/KK/YYYYY/RR:-,-,-,4r0,1r2,0r0,16r1,9r3,-:....../....../....../....../....../......:RRTT:0:1:1Y1K1YT seat1=0:B/TT/T/Y/BBB/T:15r2,-,-,6r1,-,2r1,8r2,-,7r2:....../....../....../....../....../......:YYTT:0:1:1T1BK1YK",
    ),
    Start(
        "passed-over",
        "One seat has nothing left to do, the other takes two chips in a row",
        "duel/1 goals=rows,columns,diagonals round=4 starter=1 turn=0 phase=turn due=- first=0 display=- top=- returned=- drawn=none large=-/- small=-/-,-/-,-/-,-/- chips=-,BR,-,K supply=1B1R1T1YT bag=2B4Y7R4K3T tower=4Y1R seat0=0:Y/T/K/B/KK/BBBBBB:8r1,2r3,5r1,9r1,13r0,0r2,17r3,3r3,15r2:...Y../..T.../....../....../....B./......:YTTT:0:0:1R1T1YT seat1=0:K/K/K/BBB/TTTTT/YY:16r1,11r0,4r3,6r3,10r1,12r3,1r2,14r3,7r1:...K.R/...RK./....../....../....../......:RRRK:0:2:1B1Y1K1RT1BK",
    ),
    Start(
        "chips-many",
        "Many sets of chips complete the line",
        "duel/1 goals=rows,columns,diagonals round=4 starter=1 turn=1 phase=spending1 due=- first=1 display=- top=- returned=- drawn=none large=-/- small=-/-,-/-,-/-,-/- chips=-,-,-,- supply=2B1R1RT bag=6B3Y6R5K6T tower=3B1R1T seat0=0:Y/RR/K/K/YYYYY/RRR:10r0,12r3,11r0,4r0,1r2,0r0,16r1,9r3,14r3:....T./.....K/....../...K../....../......:R:0:2:1R1K1T seat1=1:-/K/T/KKK/B/T:15r2,13r1,3r2,6r1,17r1,2r1,8r2,5r0,7r2:B...B./T.Y.../....../...Y../.B..../......:YYTT:0:2:1Y1T1YT1BR1RT1BK2YK",
    ),
    Start(
        "chips-then-cells",
        "Chips complete a line that has several cells to go to",
        "duel/1 goals=rows,columns,diagonals round=5 starter=1 turn=0 phase=spending4 due=- first=1 display=- top=- returned=- drawn=none large=-/- small=-/-,-/-,-/-,-/- chips=-,-,-,- supply=- bag=2B2R1K tower=8B7Y4R6K7T seat0=8:-/-/-/-/RRR/RRR:10r0,12r3,11r0,4r0,1r2,0r0,16r1,9r3,14r3:Y...T./K...RK/K...../...K../.....Y/......:YTT:0:2:1B1R1K1T1RT seat1=0:-/-/-/-/-/T:15r2,13r1,3r2,6r1,17r1,2r1,8r2,5r0,7r2:B...B./T.Y.YK/.....T/...YK./.B..../......:-:0:2:1YK",
    ),
    Start(
        "special-tile",
        "A dome with a special tile is tiled",
        "duel/1 goals=rows,columns,diagonals round=4 starter=0 turn=0 phase=placing5 due=- first=0 display=- top=- returned=- drawn=none large=-/- small=-/-,-/-,-/-,-/- chips=-,-,-,- supply=1Y1R1K1T bag=1B3Y3R3K2T tower=3Y3R seat0=5:-/R/-/-/TTT/RRRRRR:15r3,13r2,0r3,1r0,4r2,8r0,5r0,17r1,11r2:TBB.K./SY..../K..T../....B./....../......:BYYK:0:2:1RT1BK seat1=0:T/KK/YYY/BBB/BBBBB/TTTTT:3r0,10r3,9r2,12r0,6r2,16r2,7r0,2r0,14r2:K....K/.K.K../....../....../....../......:YK:0:2:1B1K1YT1BK1YK",
    ),
    Start(
        "last-tiles",
        "The last tiles of the last round, and no space for broken ones",
        "duel/1 goals=rows,columns,diagonals round=5 starter=0 turn=1 phase=turn due=- first=1 display=- top=- returned=- drawn=none large=-/- small=-/RR,-/-,-/-,-/K chips=(YT),B,T,(R) supply=- bag=5B5Y4R1K8T tower=- seat0=0:R/B/K/B/KKKK/RR:8r1,2r3,5r1,9r1,13r0,0r2,17r3,3r3,15r2:...YY./..T.../....../....../....B./.B....:YTTT:0:0:1R1K1T1YT1BR seat1=0:K/B/K/BBB/YYY/YY:16r1,11r0,4r3,6r3,10r1,12r3,1r2,14r3,7r1:...K.R/K..RK./....../....../.T..../......:RRK:0:0:1B1RT",
    ),
    Start(
        "first-player-tile",
        "The first-player tile lies beside few tiles",
        "duel/1 goals=rows,columns,diagonals round=5 starter=1 turn=1 phase=turn due=- first=large display=- top=- returned=- drawn=none large=-/KK small=-/-,-/-,-/-,-/BK chips=-,-,RT,(R) supply=- bag=4B1Y1R5K tower=2B1R1T seat0=0:Y/YY/RR/B/B/RRRR:6r1,1r3,15r1,5r0,2r3,17r3,9r1,3r3,13r2:R.BK../.KR.../.Y..../Y...../K...../......:YYYK:0:2:1R2T1BK seat1=0:-/RR/YY/YY/TTTT/TTTT:11r0,12r0,14r2,16r2,4r1,10r1,8r3,0r1,7r1:..B..B/.B..../..T.../....R./....../......:KTTT:0:0:1B1BR",
    ),
    Start(
        "sun-piles",
        "Every order of the tiles left is a move of its own",
        "duel/1 goals=rows,columns,diagonals round=1 starter=0 turn=0 phase=turn due=- first=large display=3 top=13 returned=- drawn=none large=-/BBYR small=-/BTT,-/TTY,BYTT/-,-/RKR chips=(RT),(T),(YK),(B) supply=1B2Y2R2K1T2YT2BR1RT2BK1YK bag=7B10Y10R10K7T tower=- seat0=5:-/K/-/-/-/-:11r0,4r0,9r2,-,-,-,-,-,-:....../....../....../....../....../......:-:0:0:- seat1=5:-/-/B/-/K/B:-,-,-,-,0r1,-,-,-,-:....../....../....../....../....../......:-:2:0:-",
    ),
]
