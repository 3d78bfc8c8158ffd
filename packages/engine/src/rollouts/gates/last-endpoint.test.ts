import { expect, test } from 'vitest';
import { lastEndpointBlocker } from './last-endpoint.ts';

const endpointBlocker = (services: Parameters<typeof lastEndpointBlocker>[1], ...going: readonly string[]) =>
  lastEndpointBlocker('a', services, new Set(going))?.message;

test('the second of two nodes with endpoints waits for the first', () => {
  const services = [{ service: 'default/web', nodes: ['a', 'b'] }];
  expect(endpointBlocker(services)).toBeUndefined();
  expect(endpointBlocker(services, 'b')).toBe(
    'Service default/web has ready endpoints on this node and on b only, which is going',
  );
});

test('a node waits until endpoints elsewhere are ready', () => {
  expect(endpointBlocker([{ service: 'default/web', nodes: ['a'], starting: 1 }])).toBe(
    'Service default/web has ready endpoints on this node only, and 1 pod that is not ready yet',
  );
});

test('a Service with endpoints nowhere else does not keep its node, nor does one that is not there', () => {
  expect(endpointBlocker([{ service: 'default/web', nodes: ['a'] }], 'b')).toBeUndefined();
  expect(endpointBlocker([{ service: 'default/web', nodes: ['b', 'c'] }], 'b', 'c')).toBeUndefined();
});
