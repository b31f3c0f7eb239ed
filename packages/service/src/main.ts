#!/usr/bin/env node
import './v8';
import { run } from './cli';

void run(process.argv);
