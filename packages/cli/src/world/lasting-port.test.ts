import { type Listening, PortTakenError } from '@nodewright/sandbox';
import { expect, test } from 'vitest';
import { listenOnLastingPort } from './lasting-port.ts';

const listening = (port: number): Listening => ({
  host: '127.0.0.1',
  port,
  url: `http://127.0.0.1:${port}`,
  close: () => Promise.resolve(),
});

/** Others have all ports of which `isTaken` holds. */
const network = (isTaken: (port: number) => boolean) => (port: number) =>
  isTaken(port) ? Promise.reject(new PortTakenError(port)) : Promise.resolve(listening(port));

const drawn = (...ports: readonly number[]): (() => number) => {
  const left = [...ports];
  return () => left.shift() ?? 0;
};

test('another port is drawn while others have those before', async () => {
  const busy = network((port) => port < 20_003);
  expect((await listenOnLastingPort(busy, drawn(20_001, 20_002, 20_003, 20_004))).port).toBe(20_003);
});

test('the ports are none that systems give to outgoing connections', async () => {
  const asked: number[] = [];
  const { port } = await listenOnLastingPort((wanted) => {
    asked.push(wanted);
    return network((each) => each !== 0)(wanted);
  });
  expect(port).toBe(0); // any free one, where all are taken
  expect(Math.min(...asked.slice(0, -1))).toBeGreaterThanOrEqual(20_000);
  expect(Math.max(...asked)).toBeLessThan(32_768);
});

test('what else goes wrong is told', async () => {
  await expect(listenOnLastingPort(() => Promise.reject(new Error('no permission')))).rejects.toThrow('no permission');
});
