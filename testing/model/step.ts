import type fc from 'fast-check';
import type { Model } from './model.ts';
import { refresh, type World } from './world.ts';

/** A command of a sequence: `needs` says whether it makes sense, `act` does it. */
export class Step implements fc.AsyncCommand<Model, World> {
  readonly name: string;
  readonly needs: (model: Model) => boolean;
  readonly act: (model: Model, world: World) => Promise<unknown>;

  constructor(
    name: string,
    needs: (model: Model) => boolean,
    act: (model: Model, world: World) => Promise<unknown>,
  ) {
    this.name = name;
    this.needs = needs;
    this.act = act;
  }

  check(model: Model): boolean {
    return this.needs(model);
  }

  async run(model: Model, world: World): Promise<void> {
    await this.act(model, world);
    refresh(model, world.shop);
  }

  toString(): string {
    return this.name;
  }
}
