// Command azt-verify says of transcripts whether they hold.
//
//	azt-verify [--json] [--key HEX] PATH...
//
// A path is a file, or a folder in which all files *.azt are looked at. The
// exit code is that of the worst file, as docs/transcript.md lists them.
package main

import (
	"bufio"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"

	"azulreferee/verify"
)

const (
	exitUsage  = 2
	exitOutput = 74 // the output could not be written
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("azt-verify", flag.ContinueOnError)
	flags.SetOutput(stderr)
	asJSON := flags.Bool("json", false, "print one object a file")
	key := flags.String("key", "", "the public key that must have signed, in hex")
	if err := flags.Parse(args); err != nil || flags.NArg() == 0 {
		fmt.Fprintln(stderr, "usage: azt-verify [--json] [--key HEX] PATH...")
		return exitUsage
	}
	var options verify.Options
	if *key != "" {
		pinned, err := hex.DecodeString(*key)
		if err != nil || len(pinned) != 32 {
			fmt.Fprintln(stderr, "azt-verify: a key has 64 hex digits")
			return exitUsage
		}
		options.Key = pinned
	}
	out := bufio.NewWriter(stdout)
	var verdicts []verify.Verdict
	for _, path := range flags.Args() {
		for _, file := range transcripts(path) {
			report := verifyFile(file, options)
			verdicts = append(verdicts, report.Verdict)
			if err := print(out, file, report, *asJSON); err != nil {
				fmt.Fprintln(stderr, "azt-verify:", err)
				return exitOutput
			}
		}
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(stderr, "azt-verify:", err)
		return exitOutput
	}
	return verify.ExitCode(verdicts)
}

// transcripts returns the files that a path stands for. What cannot be looked
// into stays in the list, so that it is reported as a file that cannot be read.
func transcripts(path string) []string {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}
	}
	var files []string
	_ = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			files = append(files, name)
		case !entry.IsDir() && filepath.Ext(name) == ".azt":
			files = append(files, name)
		}
		return nil
	})
	sort.Strings(files)
	return files
}

func verifyFile(path string, options verify.Options) verify.Report {
	data, err := read(path)
	if err != nil {
		return verify.CannotRead(err)
	}
	return verify.Verify(data, options)
}

// read returns a file, or as much of it as shows that it is too large.
func read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, verify.MaxFile+1))
}

func print(out io.Writer, path string, report verify.Report, asJSON bool) error {
	if asJSON {
		line, err := report.WithPath(path)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s\n", line)
		return err
	}
	_, err := fmt.Fprintf(out, "%s: %s\n", path, report)
	return err
}
