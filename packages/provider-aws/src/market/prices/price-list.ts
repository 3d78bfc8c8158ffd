/** The on-demand price in one record of the price list, in millionths of a dollar an hour. */
export type ListedPrice = { readonly instanceType: string; readonly microUsdPerHour: number };

type PriceListRecord = {
  readonly product?: { readonly attributes?: { readonly instanceType?: string } };
  readonly terms?: {
    readonly OnDemand?: Readonly<
      Record<
        string,
        {
          readonly priceDimensions?: Readonly<
            Record<string, { readonly pricePerUnit?: Readonly<Record<string, string>> }>
          >;
        }
      >
    >;
  };
};

/** Records without a type or with a price of zero are passed over; of several prices the last counts. */
export function listedPrice(record: string, currency: 'USD' | 'CNY'): ListedPrice | undefined {
  const { product, terms } = JSON.parse(record) as PriceListRecord;
  const instanceType = product?.attributes?.instanceType;
  const prices = Object.values(terms?.OnDemand ?? {})
    .flatMap(({ priceDimensions = {} }) => Object.values(priceDimensions))
    .map(({ pricePerUnit }) => microUsd(pricePerUnit?.[currency]))
    .filter((price) => price > 0);
  const microUsdPerHour = prices.at(-1);
  return instanceType === undefined || microUsdPerHour === undefined ? undefined : { instanceType, microUsdPerHour };
}

/** Millionths of what a decimal text says; 0 when it says nothing. */
export function microUsd(text: string | undefined): number {
  const amount = Math.round(Number(text ?? '') * 1e6);
  return Number.isSafeInteger(amount) && amount > 0 ? amount : 0;
}
