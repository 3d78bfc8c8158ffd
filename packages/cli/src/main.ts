import { run } from '@stricli/core';
import { app } from './app.ts';
import { exitStatus } from './exit-status.ts';

await run(app, process.argv.slice(2), { process });

// The command line library reports its own refusals as small negative numbers: all of them are wrong usage.
const asNumber = Number(process.exitCode ?? exitStatus.done);
if (asNumber < 0) process.exitCode = asNumber === -1 ? exitStatus.failed : exitStatus.wrongInput;
