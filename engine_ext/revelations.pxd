from engine_ext.types cimport *

cdef list list_revealed(const EditionC* e, const State* before, const State* after, int seat)
cdef list possible_cards(const EditionC* e, const State* s, int observer, int seat, int deck)
cdef put_in_hand(const EditionC* e, State* s, int observer, int seat, int card)
cdef hidden_choice(const EditionC* e, State* s, const Frame* f, int argument, int observer)
cdef fill_in(const EditionC* e, State* s, revealed)
cdef deal_in(const EditionC* e, const State* before, State* s, int observer, list dealt)
cdef require_complete(const EditionC* e, const State* s, int observer)
cdef blank_past(State* s)
