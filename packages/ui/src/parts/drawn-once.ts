import { Component } from 'preact';

/** A component that is drawn again only when one of its properties is another object or value. */
export abstract class DrawnOnce<Props extends object> extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const names = Object.keys(next) as (keyof Props)[];
    return names.some((name) => next[name] !== this.props[name]);
  }
}

export const hasSameItems = <Item>(a: readonly Item[], b: readonly Item[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
