import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgePrometheusAnswer, prometheusUrl } from '@nodewright/engine';
import { createWebClient, realTime, type WebAnswer } from '@nodewright/runtime';
import { expect, test } from 'vitest';

/** A package of many systems. Without it on the PATH the test is skipped. */
const program = 'prometheus';
const isInstalled = spawnSync(program, ['--version']).status === 0;
const { clock, gate } = realTime();
const web = createWebClient({ gate });

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits for an answer, not for a time: a server that has just begun refuses connections. */
async function answerOf(url: string): Promise<WebAnswer> {
  for (;;) {
    const answer = await web.send({ method: 'GET', url, timeoutMs: 10_000 });
    if (answer.kind === 'answered' && answer.status !== 503) return answer;
    await clock.sleep(100);
  }
}

test.skipIf(!isInstalled)(
  'checks read the answers of a real Prometheus (skipped where `prometheus` is not on the PATH)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    writeFileSync(join(folder, 'p.yml'), 'global: {}\n');
    const server = spawn(
      program,
      [
        `--config.file=${join(folder, 'p.yml')}`,
        `--storage.tsdb.path=${folder}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    try {
      const verdictOf = async (query: string, bounds: { readonly min?: string; readonly max?: string }) => {
        const check = { url, query, ...bounds };
        return judgePrometheusAnswer(check, await answerOf(prometheusUrl(check)));
      };
      expect(await verdictOf('vector(0.7)', { max: '0.5' })).toEqual({
        state: 'Fails',
        detail: '0.7, at most 0.5 allowed',
      });
      expect(await verdictOf('scalar(vector(0.25))', { max: '0.5' })).toMatchObject({ state: 'Passes' });
      expect(await verdictOf('absent_metric', { max: '1' })).toMatchObject({ state: 'CannotBeAsked' });
      expect(await verdictOf('vector(0) / 0', { max: '1' })).toMatchObject({ detail: 'the query has the value NaN' });
      expect((await verdictOf('sum(', { max: '1' })).detail).toContain('parse error');
    } finally {
      server.kill();
      await new Promise((resolve) => server.once('exit', resolve));
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
