/* Backgammon by hand: what native code of the ruleset beside this file is held against.

The same games: decisions in the same order, with the same numbers for dice and choices. */

#include <stdint.h>
#include <string.h>

typedef int64_t I;
typedef uint64_t U;

static U draw64(U seed, U salt, U counter) {
  U z = seed + salt + (counter + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

typedef struct {
  int8_t at[2][25]; /* checkers: 0 is the bar, 1 the farthest point, 24 the last one before a checker is off */
  int8_t off[2];
  U seed, salt, throws, choices;
  I decisions, forced, options;
} Game;

static inline int rearmost(const Game *game, int who) {
  int place = 0;
  while (place < 25 && !game->at[who][place]) place++;
  return place;
}

static inline int may(const Game *game, int who, int start, int pips, int rear) {
  int goal = start + pips;
  if (goal > 24) return rear >= 19 && (goal == 25 || start == rear);
  return game->at[!who][25 - goal] < 2;
}

static inline int can(const Game *game, int who, int pips) {
  int rear = rearmost(game, who);
  if (rear == 0) return may(game, who, 0, pips, 0);
  for (int start = rear; start < 25; start++)
    if (game->at[who][start] && may(game, who, start, pips, rear)) return 1;
  return 0;
}

static inline void move(Game *game, int who, int start, int pips) {
  int goal = start + pips;
  game->at[who][start]--;
  if (goal > 24) {
    game->off[who]++;
    return;
  }
  game->at[who][goal]++;
  if (game->at[!who][25 - goal] == 1) {
    game->at[!who][25 - goal] = 0;
    game->at[!who][0]++;
  }
}

static inline int list(const Game *game, int who, int pips, int *options, int first) {
  int count = 0, rear = rearmost(game, who);
  if (rear == 0) {
    if (may(game, who, 0, pips, 0)) options[count++] = first;
    return count;
  }
  for (int start = rear; start < 25; start++)
    if (game->at[who][start] && may(game, who, start, pips, rear)) options[count++] = first + start;
  return count;
}

static inline int chosen(Game *game, const int *options, int count) {
  if (count == 0) return -1;
  game->decisions++;
  game->options += count;
  if (count == 1) {
    game->forced++;
    return options[0];
  }
  game->choices = game->choices * 6364136223846793005u + 1442695040888963407u;
  return options[(game->choices >> 32) * (U)count >> 32];
}

static void play_one(Game *game, int who, int pips) {
  int options[25];
  int start = chosen(game, options, list(game, who, pips, options, 0));
  if (start >= 0) move(game, who, start, pips);
}

static int die(Game *game) {
  U bits = draw64(game->seed, game->salt, game->throws++);
  return 1 + (int)((unsigned __int128)bits * 6 >> 64);
}

static void play_both(Game *game, int who, int one, int two) {
  int high = one > two ? one : two, low = one > two ? two : one;
  if (high == low) {
    for (int times = 0; times < 4; times++) play_one(game, who, high);
    return;
  }
  int all[50], options[50], count = 0;
  int found = list(game, who, high, all, 0);
  found += list(game, who, low, all + found, 25);
  for (int each = 0; each < found; each++) { /* only what leaves a move for the other die */
    int is_low = all[each] / 25;
    Game copy;
    memcpy(&copy, game, sizeof copy.at + sizeof copy.off);
    move(&copy, who, all[each] % 25, is_low ? low : high);
    if (can(&copy, who, is_low ? high : low)) options[count++] = all[each];
  }
  int first = chosen(game, options, count);
  if (first >= 0) {
    move(game, who, first % 25, first / 25 ? low : high);
    play_one(game, who, first / 25 ? high : low);
  } else {
    play_one(game, who, can(game, who, high) ? high : low);
  }
}

/* Games with these seeds; to `tally` come decisions, those with one option only, and options in all. */
void playouts(U seed, I games, U dice, U choices, I *tally) {
  for (I number = 0; number < games; number++) {
    Game game;
    memset(&game, 0, sizeof game);
    game.seed = seed + (U)number;
    game.salt = dice;
    game.choices = draw64(game.seed, choices, 0);
    for (int who = 0; who < 2; who++) {
      game.at[who][1] = 2;
      game.at[who][12] = 5;
      game.at[who][17] = 3;
      game.at[who][19] = 5;
    }
    int one, two;
    do {
      one = die(&game);
      two = die(&game);
    } while (one == two);
    int who = two < one ? 0 : 1;
    play_both(&game, who, one, two);
    while (game.off[0] < 15 && game.off[1] < 15) {
      who = !who;
      one = die(&game);
      two = die(&game);
      play_both(&game, who, one, two);
    }
    tally[0] += game.decisions;
    tally[1] += game.forced;
    tally[2] += game.options;
  }
}
