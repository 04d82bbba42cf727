// The part of the toolchain's libIndexStore that reads which symbols a file uses.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *data;
    size_t length;
} indexstore_string_ref_t;

void *indexstore_store_create(const char *path, void **error);
bool indexstore_store_units_apply_f(
    void *store, unsigned sorted, void *context, bool (*apply)(void *context, indexstore_string_ref_t unit));
void *indexstore_unit_reader_create(void *store, const char *unit, void **error);
void indexstore_unit_reader_dispose(void *unit);
indexstore_string_ref_t indexstore_unit_reader_get_main_file(void *unit);
bool indexstore_unit_reader_dependencies_apply_f(
    void *unit, void *context, bool (*apply)(void *context, void *dependency));
/// 2 is a record.
int indexstore_unit_dependency_get_kind(void *dependency);
indexstore_string_ref_t indexstore_unit_dependency_get_name(void *dependency);
void *indexstore_record_reader_create(void *store, const char *record, void **error);
void indexstore_record_reader_dispose(void *record);
bool indexstore_record_reader_occurrences_apply_f(
    void *record, void *context, bool (*apply)(void *context, void *occurrence));
void *indexstore_occurrence_get_symbol(void *occurrence);
uint64_t indexstore_occurrence_get_roles(void *occurrence);
bool indexstore_occurrence_relations_apply_f(
    void *occurrence, void *context, bool (*apply)(void *context, void *relation));
uint64_t indexstore_symbol_relation_get_roles(void *relation);
void *indexstore_symbol_relation_get_symbol(void *relation);
indexstore_string_ref_t indexstore_symbol_get_usr(void *symbol);
