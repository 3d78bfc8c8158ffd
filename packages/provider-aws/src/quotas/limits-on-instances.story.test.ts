import { expect, test } from 'vitest';
import { limitOn } from './limits-on-instances.ts';

for (const { type, onDemand, spot } of [
  { type: 'm5.large', onDemand: 'L-1216C47A', spot: 'L-34B43A08' },
  { type: 'im4gn.large', onDemand: 'L-1216C47A', spot: 'L-34B43A08' },
  { type: 'g5.xlarge', onDemand: 'L-DB2E81BA', spot: 'L-3819A6DF' },
  { type: 'gr6.4xlarge', onDemand: 'L-DB2E81BA', spot: 'L-3819A6DF' },
  { type: 'p4d.24xlarge', onDemand: 'L-417A185B', spot: 'L-7212CCBC' },
  { type: 'p5.48xlarge', onDemand: 'L-417A185B', spot: 'L-C4BD4855' },
  { type: 'inf2.xlarge', onDemand: 'L-1945791B', spot: 'L-B5D1601B' },
  { type: 'u-6tb1.metal', onDemand: 'L-43DA4232', spot: undefined },
]) {
  test(`${type} counts against ${onDemand} On-Demand and ${spot ?? 'nothing'} as Spot instance`, () => {
    expect([limitOn(type, 'onDemand')?.code, limitOn(type, 'spot')?.code]).toEqual([onDemand, spot]);
  });
}
