import type { KubernetesObject } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { ObjectCache } from './object-cache.ts';

const anObject = (name: string, resourceVersion: string, uid = name): KubernetesObject => ({
  metadata: { name, uid, resourceVersion },
});

describe('what is known of a kind', () => {
  test('an older version never replaces a newer one, whoever tells of it', () => {
    const cache = new ObjectCache();
    cache.seen(anObject('a', '10'));
    cache.seen(anObject('a', '9'));
    expect(cache.get('a')?.metadata.resourceVersion).toBe('10');
  });

  test('an object of the same name that was made anew replaces the old one', () => {
    const cache = new ObjectCache();
    cache.seen(anObject('a', '10'));
    cache.seen(anObject('a', '3', 'another'));
    expect(cache.get('a')?.metadata.uid).toBe('another');
  });

  test('what is gone stays gone when an answer to a write comes late', () => {
    const cache = new ObjectCache();
    cache.seen(anObject('a', '10'));
    cache.gone(anObject('a', '11'));
    cache.seen(anObject('a', '12'));
    expect(cache.get('a')).toBeUndefined();
  });

  test('the end of an older object of the name leaves the newer one', () => {
    const cache = new ObjectCache();
    cache.seen(anObject('a', '10', 'new'));
    cache.gone(anObject('a', '5', 'old'));
    expect(cache.get('a')?.metadata.uid).toBe('new');
  });

  test('an index follows the object', () => {
    const cache = new ObjectCache({ version: ({ metadata }) => [metadata.resourceVersion ?? ''] });
    cache.seen(anObject('b', '1'));
    cache.seen(anObject('a', '1'));
    expect(cache.by('version', '1').map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    cache.seen(anObject('b', '2'));
    expect(cache.by('version', '1').map(({ metadata }) => metadata.name)).toEqual(['a']);
  });
});
