import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { runCommand } from './run.ts';
import type { ContainerSurroundings } from './steps.ts';

const around: ContainerSurroundings = {
  hostname: 'web-0',
  environment: { COLOR: 'blue', EMPTY: '', LIST: 'a b' },
  files: { '/etc/os-release': 'ID=alpine\n', '/etc/hostname': 'web-0\n' },
  kernel: { release: '6.1.0', architecture: 'x86_64' },
  now: () => instant(Date.UTC(2024, 0, 28, 16, 0, 5)),
};

type Outcome = { stdout: string; stderr: string; slept: number; code: number };

/** @param input the pieces that the program reads */
function outcomeOf(command: readonly string[], ...input: readonly string[]): Outcome {
  const outcome: Outcome = { stdout: '', stderr: '', slept: 0, code: 0 };
  const unread = [...input];
  const running = runCommand(around, command);
  let next = running.next();
  while (next.done !== true) {
    const action = next.value;
    if (action.kind === 'write') outcome[action.to] += action.text;
    if (action.kind === 'sleep') outcome.slept += action.ms;
    next = running.next(action.kind === 'read' ? unread.shift() : undefined);
  }
  return { ...outcome, code: next.value };
}

for (const { command, ...expected } of [
  { command: ['true'] },
  { command: ['false'], code: 1 },
  { command: ['echo', 'a', 'b'], stdout: 'a b\n' },
  { command: ['/bin/echo', '-n', 'a'], stdout: 'a' },
  { command: ['cat', '/etc/os-release'], stdout: 'ID=alpine\n' },
  { command: ['cat', '/absent', '/etc/hostname'], stdout: 'web-0\n', stderr: /No such file/, code: 1 },
  { command: ['ls', '/etc'], stdout: 'hostname\nos-release\n' },
  { command: ['printenv', 'COLOR'], stdout: 'blue\n' },
  { command: ['env'], stdout: 'COLOR=blue\nEMPTY=\nLIST=a b\n' },
  { command: ['hostname'], stdout: 'web-0\n' },
  { command: ['sleep', '1.5'], slept: 1500 },
  { command: ['date', '+%F %T'], stdout: '2024-01-28 16:00:05\n' },
  { command: ['date'], stdout: 'Sun Jan 28 16:00:05 UTC 2024\n' },
  { command: ['constructor'], stderr: /constructor: not found/, code: 127 },
  { command: ['tar', 'cf', '-', '/tmp'], stderr: /the sandbox plays containers, which have no files to copy/, code: 1 },
] as { command: string[]; stdout?: string; stderr?: RegExp; slept?: number; code?: number }[]) {
  test(`a container runs ${command.join(' ')}`, () => {
    const { stdout = '', stderr = /^$/, slept = 0, code = 0 } = expected;
    expect(outcomeOf(command)).toEqual({ stdout, stderr: expect.stringMatching(stderr) as string, slept, code });
  });
}

for (const { script, stdout = '', stderr = /^$/, slept = 0, code = 0, input = [] } of [
  { script: 'echo one; echo two', stdout: 'one\ntwo\n' },
  { script: 'false && echo no || echo yes', stdout: 'yes\n' },
  { script: '! true', code: 1 },
  { script: 'echo "$COLOR" \'$COLOR\' ${NONE:-none} \\$', stdout: 'blue $COLOR none $\n' },
  { script: 'for each in $LIST "$LIST"; do echo "<$each>"; done', stdout: '<a>\n<b>\n<a b>\n' },
  { script: 'A=1 B="x y"; echo $A$B', stdout: '1x y\n' },
  { script: 'if [ -f /etc/hostname ]; then echo there; else echo not; fi', stdout: 'there\n' },
  { script: 'if false; then echo 1; elif true; then echo 2; fi', stdout: '2\n' },
  { script: 'echo $(hostname)-x', stdout: 'web-0-x\n' },
  { script: 'echo a b c | wc -w', stdout: '3\n' },
  { script: 'cat | grep b', stdout: 'bc\n', input: ['aa\nbc\n'] },
  { script: 'echo lost > /dev/null; echo said >&2', stderr: /^said\n$/ },
  { script: 'cat /absent 2>/dev/null || true' },
  { script: 'sleep 1; sleep 1m; exit 7; echo no', slept: 61_000, code: 7 },
  { script: 'while true; do echo x; exit 3; done', stdout: 'x\n', code: 3 },
  {
    script: 'i=0; while [ $i -lt 3 ]; do echo line $i; i=$((i+1)); sleep 5; done',
    stdout: 'line 0\nline 1\nline 2\n',
    slept: 15_000,
  },
  { script: 'A=7; echo $((A / 2 * (1 + $A) - 5 % 3)) "$((A > 3 && !0))"', stdout: '22 1\n' },
  { script: 'echo $((1 / 0))', stderr: /divide by zero/, code: 2 },
  { script: 'echo $((2 +))', stderr: /arithmetic syntax error/, code: 2 },
  {
    script: 'for i in $(seq 5); do [ $i = 2 ] && continue; [ $i = 4 ] && break; echo $i; done; echo end',
    stdout: '1\n3\nend\n',
  },
  { script: 'while true; do break; done; until false; do break; done; echo $(seq 2 2 7)', stdout: '2 4 6\n' },
  { script: 'cd /etc && pwd && cat hostname', stdout: '/etc\nweb-0\n' },
  { script: 'export COLOR=red; env | grep COLOR', stdout: 'COLOR=red\n' },
  { script: 'false; echo $?', stdout: '1\n' },
  { script: '# a remark\necho after', stdout: 'after\n' },
  { script: 'echo "open', stderr: /unterminated quoted string/, code: 2 },
  { script: 'cat <<EOF', stderr: /syntax error/, code: 2 },
  { script: 'if true; then', stderr: /syntax error: expecting "fi"/, code: 2 },
] as {
  script: string;
  stdout?: string;
  stderr?: RegExp;
  slept?: number;
  code?: number;
  input?: string[];
}[]) {
  test(`the shell runs ${script.replaceAll('\n', ' / ')}`, () => {
    expect(outcomeOf(['sh', '-c', script], ...input)).toEqual({
      stdout,
      stderr: expect.stringMatching(stderr) as string,
      slept,
      code,
    });
  });
}

test('a shell without a script runs what it reads', () => {
  expect(outcomeOf(['sh'], 'X=5\n', 'echo $X; exit 4\n', 'echo no\n')).toMatchObject({ stdout: '5\n', code: 4 });
});
