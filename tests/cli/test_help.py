"""Help, manual page and completions: all say the same, because all come from one table."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from cli import PARTAN, CliTest, environment

COMMANDS = ["train", "path", "tune", "cv", "lasso", "complete", "predict", "verify", "compress", "info", "gen", "scale",
            "split", "plot", "help", "version"]


def options_of(text):
    """The long options a help text lists: those at the start of an entry."""
    found = []
    for line in re.findall(r"^  (-.*)$", text, re.MULTILINE):
        found += re.findall(r"--[a-z0-9-]+", line.split("  ")[0])
    return found


class Help(CliTest):
    def test_overview(self):
        self.assert_golden("help.txt", self.succeed("help").stdout)
        self.assertEqual(self.succeed("--help").stdout, self.succeed("help").stdout)

    def test_every_command(self):
        for name in COMMANDS:
            with self.subTest(command=name):
                text = self.succeed("help", name).stdout
                self.assert_golden(f"help-{name}.txt", text)
                self.assertEqual(self.succeed(name, "--help").stdout, text)
                self.assertEqual(self.succeed(name, "-h").stdout, text)
                self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_formats_that_are_written_are_those_that_are_read(self):
        def formats(command, option):
            text = " ".join(self.succeed("help", command).stdout.split())
            return re.search(rf"--{option} NAME .*? One of (.*?)\.", text).group(1).split(", ")

        read = formats("train", "format")[1:]  # without auto
        self.assertEqual(formats("gen", "format"), read)
        self.assertEqual(formats("scale", "output-format"), read)

    def test_help_needs_no_other_arguments_and_no_instruction_set(self):
        env = environment(PARTAN_ISA="nonsense")
        self.succeed("train", "--help", "--cost", env=env)
        self.succeed("help", env=env)

    def test_alone_it_prints_a_summary_as_a_usage_error(self):
        done = self.run_partan()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        for name in COMMANDS:
            self.assertIn(f"  {name}", done.stderr)

    def test_contract_of_train(self):
        listed = options_of(self.succeed("help", "train").stdout)
        contract = """kernel gamma cost degree coef0 solver step tol eps sample stop seed max-iter time-limit threads
            cache storage init trace model-format json progress no-progress quiet verbose""".split()
        self.assertEqual([name for name in contract if f"--{name}" not in listed], [])
        self.assertEqual(len(listed), len(set(listed)))

    def test_help_on_an_unknown_command(self):
        self.assertIn("did you mean 'train'?", self.fail_with(2, "help", "trian"))


class Manual(CliTest):
    def setUp(self):
        super().setUp()
        self.page = self.succeed("help", "--man").stdout

    def test_all_options_are_in_it(self):
        plain = self.page.replace("\\-", "-")
        for name in COMMANDS:
            for option in options_of(self.succeed("help", name).stdout):
                self.assertIn(option, plain)
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"):
            self.assertIn(f".SH {section}\n", self.page)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_nothing_to_say(self):
        done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z"], input=self.page, capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Completions(CliTest):
    def test_all_options_are_in_them(self):
        forms = {"bash": "--{}", "zsh": "--{}", "fish": "-l {}"}
        for shell, form in forms.items():
            script = self.succeed("help", "--completions", shell).stdout
            for name in COMMANDS:
                for option in options_of(self.succeed("help", name).stdout):
                    self.assertIn(form.format(option[2:]), script, shell)

    def complete(self, *words):
        """What bash would offer for the last word."""
        self.write("script", self.succeed("help", "--completions", "bash").stdout)
        quoted = " ".join(f"'{w}'" for w in words)
        line = f"source ./script; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _partan; "
        line += "echo \"${COMPREPLY[@]}\""
        done = subprocess.run(["bash", "--norc", "-c", line], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete("partan", "tr"), ["train"])
        self.assertEqual(self.complete("partan", "train", "--ker"), ["--kernel"])
        self.assertEqual(self.complete("partan", "train", "--no-p"), ["--no-progress"])
        self.assertEqual(self.complete("partan", "train", "--solver", "s"), ["swap"])
        self.assertEqual(self.complete("partan", "train", "--solver", "=", "s"), ["swap"])
        self.assertEqual(self.complete("partan", "train", "scr"), ["script"])
        self.assertEqual(self.complete("partan", "help", "--completions", ""), ["bash", "zsh", "fish"])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_parses_it(self):
        subprocess.run(["zsh", "-n"], input=self.succeed("help", "--completions", "zsh").stdout, text=True, check=True)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_parses_it(self):
        script = self.succeed("help", "--completions", "fish").stdout
        subprocess.run(["fish", "-n"], input=script, text=True, check=True)


class Version(CliTest):
    def test_text_and_json_agree(self):
        found = self.json("version")
        self.assert_schema(found, {"version": str, "isa": str, "threads": int, "compiler": str})
        self.assert_schema(found["limits"], {"processors": int, "affinity": int})
        self.assertIsNone(found["limits"]["OMP_NUM_THREADS"])

    def test_limits_of_threads_are_kept_and_told(self):
        for name in ("OMP_NUM_THREADS", "OMP_THREAD_LIMIT"):
            limited = environment(**{name: "1"})
            found = self.json("version", env=limited)
            self.assertEqual((found["threads"], found["limits"][name]), (1, 1))
            self.assertIn(f"{name} 1", self.succeed("version", env=limited).stdout)
        self.write("data", "1 1:1\n-1 1:2\n")
        limited = environment(OMP_NUM_THREADS="1,2")
        self.assertIn("threads 1 (processors: ", self.succeed("train", "-v", "data", env=limited).stderr)
        self.assertEqual(self.json("train", "--threads", "2", "data", env=limited)["threads"], 2)
        if hasattr(os, "sched_setaffinity"):
            one = str(min(os.sched_getaffinity(0)))
            words = [sys.executable, "-c", f"import os, sys; os.sched_setaffinity(0, [{one}]); os.execv(sys.argv[1], "
                                           "sys.argv[1:])", PARTAN, "version", "--json"]
            found = json.loads(subprocess.run(words, env=environment(), capture_output=True, check=True).stdout)
            self.assertEqual((found["threads"], found["limits"]["affinity"]), (1, 1))
        text = self.succeed("version").stdout
        self.assertTrue(text.startswith(f"partan {found['version']}\n"))
        self.assertIn(found["isa"], text)
        self.assertEqual(self.succeed("--version").stdout, text)

    def test_the_environment_chooses_the_instruction_set(self):
        self.assertEqual(self.json("version", env=environment(PARTAN_ISA="reference"))["isa"], "reference")
        message = self.fail_with(2, "version", env=environment(PARTAN_ISA="z80"))
        self.assertIn("PARTAN_ISA is 'z80'", message)


if __name__ == "__main__":
    print(f"testing {PARTAN}")
    unittest.main()
