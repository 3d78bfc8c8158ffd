import type { Device } from '@nodewright/apis';

/** A device with what expressions read of it: `device.driver`, `device.attributes`, `device.capacity`. */
export type SelectableDevice = Pick<Device, 'attributes' | 'capacity'> & { readonly driver: string };

/** Whether an expression of a selector holds for a device. One that fails does not. */
export type SelectDevice = (expression: string, device: SelectableDevice) => boolean;
