// An experiment's table, as choir experiment writes it to ID.json: settings, then series, quantity, mean, min, max, repeats.
import {isNumber} from './format.js';
import {listOf, objectOf} from './run.js';

export class Experiment {
  constructor(document) {
    const table = objectOf(document.table);
    this.id = String(document.id ?? document.experiment ?? 'experiment');
    this.title = String(document.title ?? document.shows ?? '');
    this.notes = listOf(document.notes).map(String);
    this.columns = listOf(document.columns ?? table.columns).map(String);
    this.rows = listOf(document.rows ?? table.rows).filter(Array.isArray);
    this.pictures = listOf(document.svgs).map((picture, place) =>
      typeof picture === 'string' ? {name: `picture ${place + 1}`, svg: picture} : objectOf(picture),
    );
    this.call = document;
    const {choir: _, ...versions} = objectOf(document.versions);
    this.about = Object.entries({
      started: document.started || null,
      choir: document.choir,
      ...versions,
      quick: document.quick,
      seeds: document.seeds,
      threads: document.threads,
      seconds: document.seconds,
    }).filter(([, value]) => value !== null && value !== undefined);
  }

  #place(name) {
    return this.columns.indexOf(name);
  }

  // Columns before "series": what was varied.
  get settings() {
    return this.columns.slice(0, Math.max(this.#place('series'), 0));
  }
  get drawable() {
    return ['series', 'quantity', 'mean'].every((name) => this.columns.includes(name)) && this.settings.length > 0;
  }
  get quantities() {
    return [...new Set(this.rows.map((row) => row[this.#place('quantity')]))].map(String);
  }

  // The setting that the axis shows: the first that differs.
  get along() {
    return (
      this.settings.find((name) => new Set(this.rows.map((row) => row[this.#place(name)])).size > 1) ?? this.settings[0]
    );
  }

  // Of one quantity: [{name, points: [{x, mean, min, max}]}]; settings beside the axis are part of a series' name.
  seriesOf(quantity) {
    const others = this.settings.filter((name) => name !== this.along);
    const varied = others.filter((name) => new Set(this.rows.map((row) => row[this.#place(name)])).size > 1);
    const byName = new Map();
    for (const row of this.rows.filter((candidate) => String(candidate[this.#place('quantity')]) === quantity)) {
      const get = (name) => row[this.#place(name)];
      const name = [get('series'), ...varied.map((setting) => `${setting} ${get(setting)}`)].join(', ');
      if (!isNumber(get('mean'))) continue;
      if (!byName.has(name)) byName.set(name, []);
      byName.get(name).push({x: get(this.along), mean: get('mean'), min: get('min'), max: get('max')});
    }
    return [...byName].map(([name, points]) => ({name, points}));
  }
}
