// The commands, in the order of the help.
import type { Program } from '../command-line/command.ts';
import { check } from './check.ts';
import { compare } from './compare.ts';
import { completion } from './completion.ts';
import { deploy } from './deploy.ts';
import { dev } from './dev.ts';
import { diff } from './diff.ts';
import { doctor } from './doctor.ts';
import { help } from './help.ts';
import { init } from './init.ts';
import { mcp } from './mcp.ts';
import { migrate } from './migrate.ts';
import { newProject } from './new.ts';
import { serve } from './serve.ts';
import { sql } from './sql.ts';
import { token } from './token.ts';
import { types } from './types.ts';

export const PROGRAM: Program = {
  main: serve,
  help,
  commands: [
    dev,
    sql,
    types,
    init,
    doctor,
    token,
    mcp,
    compare,
    newProject,
    diff,
    check,
    migrate,
    deploy,
    completion,
    help,
  ],
};
