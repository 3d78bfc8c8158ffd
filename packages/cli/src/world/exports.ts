import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a shell needs to reach a sandbox: no quotes and no blanks in the values. */
export const exportLines = (exported: Readonly<Record<string, string>>): string =>
  Object.entries(exported)
    .map(([name, value]) => `export ${name}=${value}\n`)
    .join('');

/** Keeps the kubeconfig in a file of its own as long as `work` needs it. */
export async function withKubeconfig<T>(text: string, work: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'nodewright-'));
  const file = join(folder, 'kubeconfig');
  try {
    writeFileSync(file, text, { mode: 0o600 });
    return await work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
