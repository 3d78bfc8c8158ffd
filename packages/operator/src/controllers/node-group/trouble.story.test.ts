import { conditionOf, nodeGroups, minutes } from '@nodewright/apis';
import { CloudError } from '@nodewright/ports';
import { describe, expect, test } from 'vitest';
import { aScalingGroup, aWorldWithGroup, eventsOf, groupOf, imagesOf, wanted } from '@nodewright/testkit/worlds';

// What a provider says of codes that it does not know.
const denied = new CloudError('AccessDenied: may not', { code: 'AccessDenied', retry: 'afterSpecChange' });
const fail = () => Promise.reject(denied);

describe('a call that AWS refuses', () => {
  for (const call of ['describe', 'suspend', 'createTemplateVersion', 'pointAt', 'resize', 'terminate'] as const) {
    test(`is told in a condition and an event, and made again: ${call}`, async () => {
      const world = await aWorldWithGroup();
      const port = world.cloud.scalingGroups;
      const own = port[call].bind(port);
      Object.assign(port, { [call]: fail });
      await world.apply(world.client.create(nodeGroups, aScalingGroup()));
      await world.advance(minutes(8));
      const stuck = await groupOf(world);
      expect(stuck && conditionOf(stuck, 'Progressing')).toMatchObject({
        status: 'False',
        reason: 'AccessDenied',
        message: 'AccessDenied: may not',
      });
      expect(await eventsOf(world, 'CallFailed')).toHaveLength(1);
      Object.assign(port, { [call]: own });
      await world.advance(minutes(90));
      expect(imagesOf(world)).toEqual([wanted, wanted, wanted]);
      const after = await groupOf(world);
      expect(after && conditionOf(after, 'Progressing')).toBe(undefined);
      await world.stop();
    });
  }
});
