import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const maps = '/api/v1/namespaces/default/configmaps';
const merge = { 'content-type': 'application/merge-patch+json' };

type Entry = { readonly manager: string; readonly operation: string; readonly fieldsV1: object };
const entriesOf = (body: object): readonly Entry[] =>
  (body as { metadata: { managedFields: readonly Entry[] } }).metadata.managedFields;

async function writtenBy(count: number): Promise<readonly Entry[]> {
  const { send, time } = anApiServer();
  let last = await send('POST', `${maps}?fieldManager=m0`, { metadata: { name: 'm' }, data: { k0: 'x' } });
  for (let at = 1; at < count; at += 1) {
    await time.run(instant(time.clock.now() + 1_000));
    last = await send('PATCH', `${maps}/m?fieldManager=m${at}`, { data: { [`k${at}`]: 'x' } }, merge);
  }
  return entriesOf(last.body);
}

test('ten managers of updates have an entry each', async () => {
  expect((await writtenBy(10)).map(({ manager }) => manager)).toHaveLength(10);
});

test('the oldest updaters beyond ten share the entry of ancient changes', async () => {
  const entries = await writtenBy(14);
  expect(entries).toHaveLength(10);
  const bucket = entries.find(({ manager }) => manager === 'ancient-changes');
  expect(JSON.stringify(bucket?.fieldsV1)).toContain('f:k4');
  expect(JSON.stringify(bucket?.fieldsV1)).not.toContain('f:k5');
  expect(entries.at(-1)?.manager).toBe('m13');
});
