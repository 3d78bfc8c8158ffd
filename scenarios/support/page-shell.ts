import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AwsCli } from './clients.ts';
import type { Finished, RunningSandbox } from './running-sandbox.ts';

/** The shell of a reader who follows a page: directory and variables last from one block of commands to the next. */
export type PageShell = { type(commands: string): Promise<Finished> };

export type PageClients = { readonly kubectl: string; readonly aws: AwsCli };

const root = join(import.meta.dirname, '../..');

/** Starts in the root of the checkout, with the sandbox's exports and the two clients on the PATH. */
export function openPageShell(sandbox: RunningSandbox, { kubectl, aws }: PageClients): PageShell {
  const home = sandbox.env['HOME'] ?? '';
  const clients = join(home, 'clients');
  mkdirSync(clients);
  writeProgram(join(clients, 'kubectl'), `exec ${kubectl} "$@"`);
  // Older ones do not read the endpoint from the environment.
  writeProgram(join(clients, 'aws'), `exec ${aws.file} --endpoint-url "$AWS_ENDPOINT_URL" "$@"`);
  const kept = join(home, 'shell');
  writeFileSync(kept, `export PATH="${clients}:$PATH"\ncd "${root}"\n`);
  const keep = `status=$?; { export -p; echo "cd '$PWD'"; } > '${kept}'; exit $status`;
  return {
    type: (commands) => sandbox.run('bash', ['-c', `. '${kept}'\nexec 2>&1\n{\n${commands}\n}\n${keep}`]),
  };
}

function writeProgram(file: string, line: string): void {
  writeFileSync(file, `#!/bin/sh\n${line}\n`);
  chmodSync(file, 0o755);
}
