import { expect, test } from 'vitest';
import { isDeviceSelected } from './device-selectors.ts';

const aGpuDevice = {
  driver: 'gpu.example.com',
  attributes: { model: { string: 'A100' }, index: { int: 3 }, 'other.example.com/mig': { bool: true } },
  capacity: { memory: { value: '40Gi' } },
};

for (const { expression, holds } of [
  { expression: `device.driver == 'gpu.example.com'`, holds: true },
  { expression: `device.attributes['gpu.example.com'].model == 'A100'`, holds: true },
  { expression: `device.attributes['gpu.example.com'].index > 3`, holds: false },
  { expression: `device.attributes['other.example.com'].mig`, holds: true },
  { expression: `'model' in device.attributes['absent.example.com']`, holds: false },
  { expression: `device.attributes['gpu.example.com'].absent == 'x'`, holds: false },
  { expression: `device.capacity['gpu.example.com'].memory.compareTo(quantity('20Gi')) >= 0`, holds: true },
  { expression: `device.driver`, holds: false },
  { expression: `device.driver ==`, holds: false },
]) {
  test(`${expression} ${holds ? 'holds' : 'does not hold'}`, () => {
    expect(isDeviceSelected(expression, aGpuDevice)).toBe(holds);
  });
}
