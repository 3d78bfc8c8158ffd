import { describe, expect, test } from 'vitest';
import { InputError } from '../../terminal/exit-status.ts';
import { parsePodName } from './explain.ts';

describe('the name of a pod', () => {
  test.each<readonly [string, string | undefined, string]>([
    ['web', undefined, 'default/web'],
    ['web', 'team', 'team/web'],
    ['team/web', undefined, 'team/web'],
    ['team/web', 'team', 'team/web'],
  ])('%s with -n %s is %s', (text, namespace, key) => {
    const { name, namespace: found } = parsePodName(text, namespace);
    expect(`${found}/${name}`).toBe(key);
  });

  test.each<readonly [string, string | undefined, string]>([
    ['a/b/c', undefined, 'a pod must be named as name or namespace/name, not "a/b/c"'],
    ['/web', undefined, 'a pod must be named as name or namespace/name, not "/web"'],
    ['web/', undefined, 'a pod must be named as name or namespace/name, not "web/"'],
    ['', undefined, 'a pod must be named as name or namespace/name, not ""'],
    ['team/web', 'default', '--namespace: is default, and the name says team; give one of them'],
  ])('%s with -n %s is refused', (text, namespace, message) => {
    expect(() => parsePodName(text, namespace)).toThrow(new InputError(message));
  });
});
