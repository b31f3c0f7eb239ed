#!/usr/bin/env node
import './v8';
import { run } from './cli';
import { processShell } from './command-line/shell';

// What is written holds every price and the hashes of keys: it is for the user, and the group where that may.
process.umask(process.umask(0o077) | 0o007);
void run(process.argv, processShell);
