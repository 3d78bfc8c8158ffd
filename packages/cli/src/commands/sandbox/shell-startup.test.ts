import { expect, test } from 'vitest';
import { shellStartup } from './shell-startup.ts';

const exported = { CLUSTER_NAME: 'demo', KUBECONFIG: '/k' };

test('bash reads the person’s own file, then the prompt and the completions', () => {
  const { files, args, environment } = shellStartup('bash', exported, '/folder');
  expect(args).toEqual(['--rcfile', '/folder/bashrc']);
  expect(environment).toEqual(exported);
  expect(files['bashrc']?.split('\n')).toEqual([
    '[ -f ~/.bashrc ] && . ~/.bashrc',
    'PS1="(demo) $PS1"',
    expect.stringContaining('kubectl completion bash'),
    expect.stringContaining('aws_completer'),
    '',
  ]);
});

test('zsh finds its file in the folder', () => {
  const { files, environment } = shellStartup('zsh', exported, '/folder');
  expect(environment).toEqual({ ...exported, ZDOTDIR: '/folder' });
  expect(files['.zshrc']).toContain('PROMPT="(demo) $PROMPT"');
});

test('another shell gets the variables and a prompt', () => {
  expect(shellStartup('fish', exported, '/folder')).toEqual({
    files: {},
    args: [],
    environment: { ...exported, PS1: '(demo) $ ' },
  });
});
