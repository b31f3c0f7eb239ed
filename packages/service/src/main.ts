#!/usr/bin/env node
import { run } from './cli';

void run(process.argv);
