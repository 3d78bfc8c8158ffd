import { run } from '@stricli/core';
import { createApplication } from './app.ts';
import { proposalWord } from './commands/completion/scripts.ts';
import { currentFlagName } from './terminal/earlier-flags.ts';
import { exitStatus } from './terminal/exit-status.ts';
import { describeInheritedFlag } from './terminal/inherited-flag.ts';
import { typographicDash } from './terminal/typographic-dash.ts';

type ProcessHost = {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  exitCode?: number | string | null;
};

/** Whoever read the answer has heard enough: `| head`. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (failure: NodeJS.ErrnoException) => {
    if (failure.code !== 'EPIPE') throw failure;
    process.exit(exitStatus.done);
  });

const host: ProcessHost = { stdout: process.stdout, stderr: process.stderr };
const args = process.argv.slice(2).map(currentFlagName);
const [first, ...words] = args;
const refusal = typographicDash(args) ?? describeInheritedFlag(args) ?? (await readCatalogueOfEnvironment());
if (first === proposalWord) {
  const { printProposals } = await import('./commands/completion/propose.ts');
  const proposals = await printProposals(createApplication, words, { process: host });
  // A cluster that does not answer would keep the process, and the shell with it.
  host.stdout.write(proposals, () => process.exit(exitStatus.done));
} else if (refusal === undefined) {
  await run(createApplication, args, { process: host });
  process.exitCode = exitCodeWithinRange(Number(host.exitCode ?? exitStatus.done));
} else {
  host.stderr.write(`error: ${refusal}\n`);
  process.exitCode = exitStatus.wrongInput;
}

/** Instance types of a file that `nodewright catalogue import` wrote, for this process and those that it starts. */
async function readCatalogueOfEnvironment(): Promise<string | undefined> {
  const file = process.env['NODEWRIGHT_CATALOGUE'] ?? '';
  if (file === '') return undefined;
  const { takeCatalogueFile } = await import('./commands/catalogue/take-catalogue-file.ts');
  return takeCatalogueFile(file);
}

/** The command line library reports its own refusals as small negative numbers; but for its internal error they are wrong usage. */
function exitCodeWithinRange(code: number): number {
  if (code >= 0) return code;
  return code === -1 ? exitStatus.failed : exitStatus.wrongInput;
}
