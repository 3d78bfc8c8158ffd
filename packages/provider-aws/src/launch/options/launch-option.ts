import type { StatusAmi } from '@nodewright/apis';
import type { InstanceType, Offering } from '@nodewright/engine';

/** One thing that may be bought: a type with its image in a zone. */
export type LaunchOption = { readonly type: InstanceType; readonly offering: Offering; readonly image: StatusAmi };

/** Millionths of a US dollar per hour. */
export const optionPrice = ({ offering }: LaunchOption): number => offering.priceMicroUsdPerHour;
