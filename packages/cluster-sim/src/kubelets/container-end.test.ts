import { expect, test } from 'vitest';
import { containerEnd, podEnd } from './container-end.ts';

const cases: readonly [command: readonly string[], end: string][] = [
  [['sh', '-c', 'echo hello && sleep 30'], '30000 ms, 0'],
  [['sleep', '2m'], '120000 ms, 0'],
  [['sh', '-c', 'sleep 5; sleep 0.5; exit 42'], '5500 ms, 42'],
  [['perl', '-Mbignum=bpi', '-wle', 'print bpi(2000)'], '5000 ms, 0'],
  [['/bin/false'], '5000 ms, 1'],
  [['sh', '-c', 'do-it || false'], '5000 ms, 1'],
  [['sleep', 'infinity'], 'never'],
  [['sh', '-c', 'while true; do date; sleep 1; done'], 'never'],
  [['tail', '-f', '/dev/null'], 'never'],
];

for (const [command, expected] of cases) {
  test(`a container that runs ${command.join(' ')} ends: ${expected}`, () => {
    const end = containerEnd({ name: 'main', image: 'busybox', command });
    expect(end === undefined ? 'never' : `${end.afterMs} ms, ${end.exitCode}`).toBe(expected);
  });
}

test('pause goes on, and so does a pod that is always restarted', () => {
  expect(containerEnd({ name: 'main', image: 'registry.k8s.io/pause:3.9' })).toBeUndefined();
  const containers = [{ name: 'main', image: 'busybox', command: ['sleep', '1'] }];
  expect(podEnd({ metadata: { name: 'a' }, spec: { containers } })).toBeUndefined();
  expect(podEnd({ metadata: { name: 'a' }, spec: { restartPolicy: 'Never', containers } })?.afterMs).toBe(1000);
});

test('a shell with an input goes on until somebody leaves it', () => {
  const containers = [{ name: 'main', image: 'busybox', args: ['sh'], stdin: true }];
  const pod = { metadata: { name: 'a' }, spec: { restartPolicy: 'Never', containers } };
  expect(podEnd(pod)).toBeUndefined();
  const annotations = { 'sandbox.nodewright.dev/exit-code.main': '3' };
  const left = { ...pod, metadata: { name: 'a', annotations } };
  expect(podEnd(left)).toEqual({ afterMs: 0, exitCodes: new Map([['main', 3]]) });
});
